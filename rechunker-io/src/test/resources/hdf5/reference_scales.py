"""Looks at the dimension scales of ScalesTest's file with h5py and netCDF4. Argument: file."""
import sys, h5py, netCDF4, numpy as np

container = sys.argv[1]
scales = {
    "temperature": ["time", "lat", "lon"],
    "time": [None],
    "bounds": ["time", "nv"],
    "square": ["lat", "lat"],
    "inner/profile": ["inner/depth", "time"],
    "inner/short": [None, None],
    "inner/time": [None],
    "plain": [None, None],
    "taken": [None],
}
with h5py.File(container, "r") as f:
    for name, expected in scales.items():
        found = [None if len(d) == 0 else d[0].name[1:] for d in f[name].dims]
        assert found == expected, (name, found)
    for name in ("time", "lat", "lon", "nv", "inner/depth", "inner/time"):
        assert h5py.h5ds.is_scale(f[name].id), name
    for name in ("temperature", "taken"):
        assert not h5py.h5ds.is_scale(f[name].id), name
    uses = sorted((f[r].name, int(axis)) for r, axis in f["time"].attrs["REFERENCE_LIST"])
    assert uses == [("/bounds", 0), ("/inner/profile", 1), ("/temperature", 0)], uses
    assert [d.label for d in f["inner/short"].dims] == ["depth", "lat"]
    assert "DIMENSION_LABELS" not in f["temperature"].attrs and "DIMENSION_LABELS" not in f["time"].attrs
with netCDF4.Dataset(container) as nc:
    for name in ("temperature", "time", "square", "bounds"):
        assert nc[name].dimensions == tuple(s or name for s in scales[name]), (name, nc[name].dimensions)
    assert nc["inner/profile"].dimensions == ("depth", "time"), nc["inner/profile"].dimensions
    assert set(("time", "lat", "lon", "nv")) <= set(nc.dimensions), nc.dimensions
    assert "nv" not in nc.variables and len(nc.dimensions["nv"]) == 2
    assert nc["temperature"].ncattrs() == ["units"], nc["temperature"].ncattrs()
    assert np.array_equal(nc["temperature"][...].ravel(), np.arange(4 * 3 * 5))
