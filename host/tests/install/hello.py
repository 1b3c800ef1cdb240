#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hello.py LIBRARY BACKEND: a program of a user in Python: what tag does a signal come back with?"""

import ctypes
import sys


class Options(ctypes.Structure):
    """struct tma_options."""
    _fields_ = [("size", ctypes.c_size_t), ("backend", ctypes.c_char_p), ("config", ctypes.c_char_p),
                ("seed", ctypes.c_uint64), ("memory_bytes", ctypes.c_uint64),
                ("submit_limit", ctypes.c_uint64), ("wave", ctypes.c_char_p),
                ("backends", ctypes.c_void_p), ("reductions", ctypes.c_bool),
                ("xclbin", ctypes.c_char_p), ("device", ctypes.c_char_p), ("baud", ctypes.c_uint32)]


class Record(ctypes.Structure):
    """struct tma_record."""
    _fields_ = [("sequence", ctypes.c_uint32), ("queue", ctypes.c_uint8), ("kind", ctypes.c_uint8),
                ("fault", ctypes.c_uint16), ("value", ctypes.c_uint64), ("address", ctypes.c_uint64),
                ("tag", ctypes.c_uint32), ("phase", ctypes.c_uint32)]


def main(library, backend):
    tma = ctypes.CDLL(library)
    tma.tma_strerror.restype = ctypes.c_char_p
    tma.tma_submit.restype = ctypes.c_int64

    def check(error):
        if error < 0:
            sys.exit("hello: " + tma.tma_strerror(ctypes.c_int(error)).decode())

    device, queue = ctypes.c_void_p(), ctypes.c_void_p()
    command, record = (ctypes.c_uint8 * 64)(), Record()
    options = Options(ctypes.sizeof(Options), backend.encode(), b"small")
    check(tma.tma_open(ctypes.byref(options), ctypes.byref(device)))
    check(tma.tma_queue_open(device, 0, None, ctypes.byref(queue)))
    tma.tma_signal(command, ctypes.c_uint32(42))
    check(tma.tma_submit(queue, command))
    check(tma.tma_wait(queue, ctypes.byref(record), ctypes.c_uint64(100000)))
    print("tag", record.tag)
    tma.tma_close(device)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
