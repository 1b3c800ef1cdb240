#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_trace.py TRACE.json REPORT.json - a time line is well formed, and agrees with the report of the same run.

Complete events have what Perfetto needs, are in the order of their time, and do not overlap on a track; every command is
there once; bursts are as many as the counters say; a flow begins at a command and ends at a burst in its queue.
"""
import json
import sys
from collections import Counter, defaultdict


def main():
    trace, report = (json.load(open(path)) for path in sys.argv[1:3])
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    assert trace["otherData"]["backend"] == report["backend"]
    assert set(e["ph"] for e in events) <= {"X", "M", "s", "f"}

    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M"}
    for event in slices:
        assert set(event) == {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"}, event
        assert event["name"] and event["ts"] >= 0 and event["dur"] >= 0, event
        assert (event["pid"], event["tid"]) in named, event
    starts = [e["ts"] for e in slices]
    assert starts == sorted(starts), "not in the order of time"

    tracks = defaultdict(list)
    for event in slices:
        tracks[event["pid"], event["tid"]].append(event)
    for track, on_it in tracks.items():
        for before, after in zip(on_it, on_it[1:]):
            assert before["ts"] + before["dur"] <= after["ts"], (track, before, after)

    commands = [e for e in slices if e["pid"] == 1 and e["tid"] != 100]
    assert len(commands) == report["commands"], (len(commands), report["commands"])
    for queue in {e["tid"] for e in commands}:
        numbers = [e["args"]["number"] for e in commands if e["tid"] == queue]
        assert numbers == list(range(len(numbers))), numbers
    assert all(e["args"]["ptx"].endswith(";") and e["args"]["line"] > 0 for e in commands)

    # The counters count reads of port 0 alone, and of writes that begin in the same cycle at several ports one.
    bursts = Counter(e["name"] for e in slices if e["cat"] == "burst")
    reads = [e for e in slices if e["name"] == "read" and e["cat"] == "burst" and e["pid"] == 2]
    writes = {e["ts"] for e in slices if e["name"] == "write" and e["cat"] == "burst"}
    assert len(reads) == report["counters"].get("READ_BURSTS", 0), (len(reads), report["counters"])
    counted = report["counters"].get("WRITE_BURSTS", 0)
    assert len(writes) <= counted <= bursts["write"], (len(writes), bursts, counted)

    begins = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert set(begins) == set(ends)
    for number, begin in begins.items():
        end = ends[number]
        assert begin["ts"] <= end["ts"] and end["bp"] == "e"
        assert any(s["ts"] == begin["ts"] for s in tracks[begin["pid"], begin["tid"]])
        burst = [s for s in tracks[end["pid"], end["tid"]] if s["ts"] <= end["ts"] <= s["ts"] + s["dur"]][-1]
        assert burst["cat"] == "burst" and burst["args"]["thread"] == begin["tid"]
    print(f"{len(commands)} commands, {sum(bursts.values())} bursts, {len(begins)} flows, "
          f"{len([e for e in slices if e['cat'] == 'stall'])} stalls")


if __name__ == "__main__":
    main()
