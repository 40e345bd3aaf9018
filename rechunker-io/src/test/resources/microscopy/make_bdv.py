"""Makes bdv.h5, in the layout of BigDataViewer: two setups, two time points, two levels; uint16 is stored as int16.

python3 make_bdv.py
"""

import h5py
import numpy as np

SIZE = (5, 7, 11)


def elements(t, c, z, y, x):
    return (30000 + (t * 2 + c) * 2000 + z * 200 + y * 20 + x).astype("u2")


with h5py.File("bdv.h5", "w", libver="latest") as f:
    for setup in range(2):
        f[f"s{setup:02d}/resolutions"] = np.array([[1, 1, 1], [2, 2, 1]], "f8")
        f[f"s{setup:02d}/subdivisions"] = np.array([[4, 4, 2], [4, 4, 2]], "i4")
        for time in range(2):
            data = elements(time, setup, *np.indices(SIZE))
            for level in range(2):
                f.create_dataset(f"t{time:05d}/s{setup:02d}/{level}/cells", data=data.view("i2"), chunks=(2, 3, 4),
                                 compression="gzip")
                data = np.ascontiguousarray(data[:, :6:2, :10:2])
