"""Makes cells.ims, in the layout of Imaris 5.5: attributes are arrays of characters, and datasets have padding.

python3 make_imaris.py
"""

import h5py
import numpy as np

TIMES, CHANNELS, SIZE, CHUNK = 2, 2, (3, 7, 11), (2, 4, 8)


def put(node, **values):
    for name, value in values.items():
        node.attrs[name] = np.array([c.encode("latin-1") for c in str(value)], "S1")


def elements(t, c, z, y, x):
    return ((t * 2 + c) * 1000 + z * 200 + y * 20 + x).astype("u2")


def padded(data, fill):
    shape = [-(-n // c) * c for n, c in zip(data.shape, CHUNK)]
    full = np.full(shape, fill, data.dtype)
    full[tuple(slice(n) for n in data.shape)] = data
    return full


with h5py.File("cells.ims", "w", libver="latest") as f:
    put(f, ImarisDataSet="ImarisDataSet", ImarisVersion="5.5.0", DataSetDirectoryName="DataSet",
        DataSetInfoDirectoryName="DataSetInfo")
    f.attrs["NumberOfDataSets"] = np.array([1], "u4")
    info = f.create_group("DataSetInfo")
    z, y, x = SIZE
    put(info.create_group("Image"), X=x, Y=y, Z=z, Unit="um", Name="cells", ExtMin0="10", ExtMin1="-2", ExtMin2="0",
        ExtMax0="12.75", ExtMax1="-0.25", ExtMax2="6")
    put(info.create_group("Channel 0"), Name="DAPI", Color="1.000 0.000 0.500", ColorMode="BaseColor",
        ColorRange="3.000 2000.500")
    put(info.create_group("Channel 1"), Name="GFP", ColorMode="TableColor", ColorTable="0.1 0.2 0.3 0.4 0.5 0.6")
    put(info.create_group("TimeInfo"), DatasetTimePoints=TIMES, FileTimePoints=TIMES,
        TimePoint1="2020-02-03 10:00:00.000", TimePoint2="2020-02-03 10:00:02.500")
    for level in range(2):
        for time in range(TIMES):
            for channel in range(CHANNELS):
                data = elements(time, channel, *np.indices(SIZE))
                if level == 1:
                    data = data[:, :6:2, :10:2]
                group = f.create_group(f"DataSet/ResolutionLevel {level}/TimePoint {time}/Channel {channel}")
                put(group, ImageSizeX=data.shape[2], ImageSizeY=data.shape[1], ImageSizeZ=data.shape[0])
                group.create_dataset("Data", data=padded(data, 9999), chunks=CHUNK, compression="gzip")
                group.create_dataset("Histogram", data=np.zeros(4, "u8"))
    f.create_dataset("Thumbnail/Data", data=np.zeros((4, 16), "u1"))
