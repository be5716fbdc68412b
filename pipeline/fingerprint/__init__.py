"""What the result of a stage depends on, as named components with digests."""

from pipeline.fingerprint.components import Collector, Component, Fingerprint
from pipeline.fingerprint.kernels import kernel_components
from pipeline.fingerprint.values import Describer

__all__ = ["Collector", "Component", "Describer", "Fingerprint", "kernel_components"]
