"""What can go wrong between a declared case and its verdict. A failed case itself is `pipeline.case_run.CaseFailed`.

PipelineError
├── UsageProblem                    the session cannot start as asked: an option, a shadowed package
│   ├── UnknownPlatform             a platform that does not exist
│   ├── UnknownPlanner              a memory planner that does not exist
│   ├── BadDatabase                 the database cannot be used
│   └── ShadowedPackage             another package of the same name is found first
├── CaseError                       a declaration that means nothing, found at collection
│   ├── UnknownSetting              a keyword that is neither a setting nor a parameter of the kernel
│   ├── BadSetting                  a setting whose value cannot be used
│   ├── BadName                     a name that could leave its folder, or cannot be part of an id
│   ├── BadKernel                   a kernel whose parameters cannot be read
│   ├── BadArguments                sample arguments that do not fit the kernel
│   ├── NoIdentity                  an argument whose value cannot be told from others in another process
│   ├── NoOutput                    a kernel without a tensor to compare
│   ├── DuplicateCase               two declarations under one case id
│   └── CaseWithoutTest             a test that cannot run the cases it declares
├── GoldenError                     the reference did not give what the kernel is compared with
│   ├── GoldenRaised                it ended with an exception
│   ├── GoldenNames                 it gave other outputs than the kernel has
│   ├── GoldenValue                 an output of the wrong kind, shape or dtype
│   └── GoldenSilent                it returned nothing and wrote nothing
├── KernelError                     the kernel ended its process, or had to be stopped
│   ├── KernelCrashed               killed by a signal
│   ├── KernelExited                ended the process it ran in
│   ├── KernelTimedOut              ran longer than `--case-timeout`
│   └── KernelRaised                ended with an error of its own, told by the worker
├── ComparisonError                 actual and golden could not be held against each other
│   ├── Mismatch                    they were, and they differ
│   └── ComparatorRaised            a comparator of the user's failed the case
└── InfraError                      nothing is known about the code: the surroundings failed
    ├── WorkerUnavailable           no worker process could be started
    ├── NoDevice                    the platform needs a card
    ├── DamagedFile                 a tensor file that cannot be read back
    └── DamagedArtifact             a file of the artifact store that is not what it was
"""

from __future__ import annotations

from typing import Any, ClassVar


class PipelineError(Exception):
    """Base of all errors here; `facts` holds the values that the message names."""

    message: ClassVar[str] = "the pipeline failed"

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        super().__init__(self.message.format(**facts))


class UsageProblem(PipelineError):
    """The session cannot start as asked."""


class UnknownPlatform(UsageProblem):
    """A platform that does not exist."""

    message = "{where}: unknown platform {name!r}; use {allowed}"


class UnknownPlanner(UsageProblem):
    """A memory planner that does not exist."""

    message = "{where}: unknown memory planner {name!r}; use {allowed}"


class BadDatabase(UsageProblem):
    """The database cannot be used."""

    message = "--pypto-db: {problem}"


class ShadowedPackage(UsageProblem):
    """Another package of the same name is found first."""

    message = (
        "pypto's package '{package}' belongs in {expected}, but Python finds {found} under that name; rename or move "
        "that one, or take its folder off sys.path (PYTHONPATH, `pythonpath` in the ini file, a conftest.py beside it)"
    )


class CaseError(PipelineError):
    """A declaration that means nothing."""


class UnknownSetting(CaseError):
    """A keyword that is neither a setting nor a parameter of the kernel."""

    message = "case of {kernel}: unknown {what} {key!r}; {hint}"


class BadSetting(CaseError):
    """A setting whose value cannot be used."""

    message = "case of {kernel}: {key}={value} {problem}"


class BadName(CaseError):
    """A name that could leave its folder, or cannot be part of an id."""

    message = "case name {name!r}: {problem}; give name= letters, digits and any of . _ - + = , [ ]"


class BadKernel(CaseError):
    """A kernel whose parameters cannot be read."""

    message = "case of {kernel}: {problem}"


class BadArguments(CaseError):
    """Sample arguments that do not fit the kernel."""

    message = "case of {kernel}: {problem}"


class NoIdentity(CaseError):
    """An argument whose value cannot be told from others in another process."""

    message = (
        "case of {kernel}: argument {argument!r} is a {kind}, whose value has no stable description; "
        "pass numbers, texts, enums, tuples, dicts, dataclasses or tensors"
    )


class NoOutput(CaseError):
    """A kernel without a tensor to compare."""

    message = "case of {kernel}: no parameter is an output; mark one as pl.Out[...] or pl.InOut[...]"


class DuplicateCase(CaseError):
    """Two declarations under one case id."""

    message = "case id {case_id} is declared twice: at {first} and at {second}; give one of them another name="


class CaseWithoutTest(CaseError):
    """A test that cannot run the cases it declares."""

    message = "{test}: {problem}"


class GoldenError(PipelineError):
    """The reference did not give what the kernel is compared with."""


class GoldenRaised(GoldenError):
    """The reference ended with an exception."""

    message = "golden raised {error}{hint}"


class GoldenNames(GoldenError):
    """The reference gave other outputs than the kernel has."""

    message = "golden {problem}; the outputs are {outputs}"


class GoldenValue(GoldenError):
    """An output of the wrong kind, shape or dtype."""

    message = "golden of {output}: expected {expected}, got {got}{hint}"


class GoldenSilent(GoldenError):
    """The reference returned nothing and wrote nothing."""

    message = "golden returned None and wrote into none of {outputs}; return the expected tensor, or write it in place"


class KernelError(PipelineError):
    """The kernel ended its process, or had to be stopped."""


class KernelCrashed(KernelError):
    """The kernel was killed by a signal."""

    message = "kernel crashed with {signal_name}"


class KernelExited(KernelError):
    """The kernel ended the process it ran in."""

    message = "kernel ended its process with exit status {status}"


class KernelTimedOut(KernelError):
    """The kernel ran longer than it may."""

    message = "kernel still ran after {seconds:g} s and was stopped (--case-timeout)"


class KernelRaised(KernelError):
    """The kernel ended with an error of its own; `error_types` names its class and bases, as the worker told them."""

    message = "{text}"

    @property
    def error_types(self) -> list[str]:
        """Qualified names of the original class and its bases, most derived first."""
        return list(self.facts["error_types"])


class ComparisonError(PipelineError):
    """Actual and golden could not be held against each other, or differ."""

    message = "{problem}"


class Mismatch(ComparisonError):
    """Actual and golden differ; the facts hold the `Comparison`."""

    message = "{text}"


class ComparatorRaised(ComparisonError):
    """A comparator of the user's failed the case."""

    message = "{comparator}: {problem}"


class InfraError(PipelineError):
    """Nothing is known about the code: the surroundings failed."""


class WorkerUnavailable(InfraError):
    """No worker process could be started."""

    message = "the worker process did not start: {problem}"


class NoDevice(InfraError):
    """The platform needs a card."""

    message = "platform {platform} needs an accelerator card, and this machine has none; use --platform {simulator}"


class DamagedFile(InfraError):
    """A tensor file that cannot be read back."""

    message = "{path}: cannot be read as a tensor ({problem}); remove its folder and run the case again"


class DamagedArtifact(InfraError):
    """A file of the artifact store that is not what it was."""

    message = "{path}: content is not {digest} any more; it is taken out, and made again"
