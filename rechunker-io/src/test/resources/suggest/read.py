"""Reads boxes of arrays with zarr-python, and writes how long a read of each way took, on average over its positions.

Usage: read.py REQUEST.json RESULT.json
"""

import json
import sys
import time

import obstore.store
import zarr
from zarr.storage import LocalStore, ObjectStore


def store(where):
    if "bucket" not in where:
        return LocalStore(where["path"], read_only=True)
    bucket = obstore.store.S3Store(
        where["bucket"],
        prefix=where["path"],
        endpoint=where["endpoint"],
        region="us-east-1",
        skip_signature=True,
        virtual_hosted_style_request=False,
        client_options={"allow_http": True},
    )
    return ObjectStore(bucket, read_only=True)


def seconds(array, box):
    region = tuple(slice(start, start + length) for start, length in box)
    begin = time.perf_counter()
    array[region]
    return time.perf_counter() - begin


with open(sys.argv[1]) as file:
    request = json.load(file)
arrays = [zarr.open_array(store(where), mode="r") for where in request["arrays"]]
for array in arrays:
    array[0, 0, 0]  # a warm-up, which also connects
least = {}
for _ in range(request["rounds"]):  # all arrays in each, as other processes come and go
    for i, array in enumerate(arrays):
        for j, boxes in enumerate(request["ways"]):
            for k, box in enumerate(boxes):
                taken = seconds(array, box)
                least[i, j, k] = min(taken, least.get((i, j, k), taken))
result = [
    [sum(least[i, j, k] for k in range(len(boxes))) / len(boxes) for j, boxes in enumerate(request["ways"])]
    for i in range(len(arrays))
]
with open(sys.argv[2], "w") as file:
    json.dump(result, file)
