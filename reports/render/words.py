"""Sentences that several renderers share; plain text, to be made safe by whoever shows it."""

from __future__ import annotations

from collections.abc import Sequence

from db import RunView
from reports.audits import Audits, Evidence, Identity, Items, StageTime, Touched
from reports.render import quantities

NAMED = 3  # examples in a line; JSON holds them all
SHORT_COMMIT = 9
SHORT_RUN = 13  # a UUIDv7 up to its milliseconds: unlike its first eight digits, different for runs of one minute


def run_title(run: RunView) -> str:
    """What people call a run: its label, else its commit, else the start of its id."""
    return run.label or run.git_commit[:SHORT_COMMIT] or run.run_id[:SHORT_RUN]


def commit(run: RunView) -> str:
    """The commit of a run, with branch and whether the tree was dirty."""
    notes = [note for note in (run.git_branch, "dirty" if run.git_dirty else "") if note]
    text = run.git_commit[:SHORT_COMMIT] or "no commit"
    return f"{text} ({', '.join(notes)})" if notes else text


def evidence(found: Evidence | None) -> str:
    """What moved in a case; empty when that is not known, or differs between the cases of a group."""
    if found is None:
        return ""
    if found.changed:
        return "changed: " + ", ".join(what.value for what in Touched if what in found.changed)
    return "nothing it is made of changed" if found.nothing_moved else ""


def audit_lines(audits: Audits) -> list[tuple[str, str]]:
    """Every audit as a name and a line."""
    lines = [("items", "; ".join(map(_items, audits.items)) or "none")]
    lines += [(identity.what.value, _identity(identity)) for identity in audits.identities if _told(identity)]
    lines += [("limit change", f"{one.case_id}: {one.base} -> {one.head}") for one in audits.limits[:NAMED]]
    if audits.drifts:
        drifted = [f"{one.case_id} {one.base:.2g} -> {one.head:.2g} of its limit" for one in audits.drifts]
        lines.append(("margins", f"{quantities.count(len(drifted), 'case')} drifted: {_some(drifted)}"))
    elif any(_told(identity) for identity in audits.identities):
        lines.append(("margins", "none drifted"))
    lines.append(("stage times", _times(audits)))
    return lines


def _items(items: Items) -> str:
    return f"{items.platform or 'plain tests'} {items.base} -> {items.head}"


def _told(identity: Identity) -> bool:
    return bool(identity.same or identity.changed or identity.unknown)


def _identity(identity: Identity) -> str:
    known = identity.same + len(identity.changed)
    parts = []
    if identity.changed:
        share = f"changed in {len(identity.changed)} of {quantities.count(known, 'case')}"
        parts.append(f"{share}: {_some(identity.changed)}")
    elif known:
        parts.append(f"identical in {quantities.count(known, 'case')}")
    if identity.unknown:
        parts.append(f"unknown in {identity.unknown}")
    return "; ".join(parts)


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _times(audits: Audits) -> str:
    if not audits.same_host:
        return "not compared: the runs were recorded on different hosts"
    return ", ".join(map(_time, audits.times)) or "none measured in both runs"


def _time(time: StageTime) -> str:
    base, head = quantities.seconds(time.base_seconds), quantities.seconds(time.head_seconds)
    direction = "slower" if time.ratio > 1 else "faster"
    return f"{time.stage.value} {base} -> {head}" + (f" ({direction}: x{time.ratio:.2f})" if time.matters else "")
