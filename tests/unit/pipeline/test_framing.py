"""Messages over pipes: whole or not at all, never past a deadline, never past the end of the process."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time

import pytest

from pipeline.framing import Closed, Inbox, receive, send


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:
            pass


@pytest.fixture
def process():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    descriptor = os.pidfd_open(child.pid)
    yield child, descriptor
    child.kill()
    child.wait()
    child.stdin.close()
    os.close(descriptor)


def soon():
    return time.monotonic() + 5


def test_messages_of_any_size_come_through(pipe, process):
    reader, writer = pipe
    messages = [{"n": 1}, {"text": "x" * 300_000}, {"ü": [None, 1.5, "\n"]}]
    thread = threading.Thread(target=lambda: [send(writer, message) for message in messages])
    thread.start()
    inbox = Inbox(reader, process[1])
    assert [inbox.receive(soon()) for _ in messages] == messages
    thread.join()


def test_both_ends_understand_each_other(pipe):
    send(pipe[1], {"a": 1})
    assert receive(pipe[0]) == {"a": 1}


def test_a_deadline_passes(pipe, process):
    started = time.monotonic()
    assert Inbox(pipe[0], process[1]).receive(started + 0.1) is None
    assert time.monotonic() - started < 2


def test_half_a_message_is_none(pipe, process):
    os.write(pipe[1], struct.pack(">I", 100) + b'{"a"')
    assert Inbox(pipe[0], process[1]).receive(time.monotonic() + 0.1) is None


def test_the_end_of_the_process_is_noticed_though_the_pipe_stays_open(pipe, process):
    child, descriptor = process
    threading.Timer(0.1, child.kill).start()
    with pytest.raises(Closed):
        Inbox(pipe[0], descriptor).receive(soon())


def test_a_message_written_just_before_the_end_counts(pipe, process):
    child, descriptor = process
    send(pipe[1], {"last": True})
    child.kill()
    child.wait()
    inbox = Inbox(pipe[0], descriptor)
    assert inbox.receive(soon()) == {"last": True}
    with pytest.raises(Closed):
        inbox.receive(soon())


def test_foreign_bytes_in_the_pipe_end_it(pipe, process):
    os.write(pipe[1], b"\xff\xff\xff\xff hello")
    with pytest.raises(Closed):
        Inbox(pipe[0], process[1]).receive(soon())


def test_a_reader_that_is_gone_is_noticed(pipe):
    os.close(pipe[0])
    with pytest.raises(Closed):
        send(pipe[1], {"a": 1})
