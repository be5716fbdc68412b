"""Cases, their six stages, and the pytest plugin that records them. Cases are declared through `pipeline.st`."""
