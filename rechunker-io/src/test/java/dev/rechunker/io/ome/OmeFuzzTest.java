package dev.rechunker.io.ome;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata of images with wrong levels, axes and scales. */
class OmeFuzzTest {
    private static final List<byte[]> SEEDS = List.of(text("""
                    {"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"version": "0.5", "multiscales": [{
                    "name": "x", "axes": [{"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type":
                    "space"}], "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1.0,
                    0.5]}, {"type": "translation", "translation": [0, 1]}]}, {"path": "1", "coordinateTransformations":
                    [{"type": "scale", "scale": [2.0, 1.0]}]}], "coordinateTransformations": [{"type": "scale", "scale":
                    [1, 1]}]}], "omero": {"channels": [{"window": {"min": 0, "max": 255}}]}}}}"""), text("""
                    {"zarr_format": 3, "node_type": "group", "attributes": {"multiscales": [{"version": "0.4", "axes":
                    [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}], "datasets": [{"path": "../0"},
                    {"path": "0"}], "type": "mean"}], "labels": ["a", "b"], "plate": {"wells": [{"path": "A/1"}]},
                    "resolution": [1, 2], "units": ["nm", "nm"], "downsamplingFactors": [1, 2]}}"""));

    @TempDir
    Path temporary;

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void damagedGroupsAreRefused() throws IOException {
        Path root = temporary.resolve("image");
        try (ChunkStore store = Zarr.create(root)) {
            for (String path : List.of("0", "1")) {
                Data.of(store.resolve(Samples.spec(Shape.of(4, 6), "y", "x").build()))
                        .write(store, path);
            }
        }
        Path document = root.resolve("zarr.json");
        for (OmeVersion version : OmeVersion.values()) {
            OmeZarr target = OmeZarr.create(temporary.resolve("target"), version);
            Fuzz.check(
                    "ome " + version,
                    300,
                    48 << 20,
                    root.toString(),
                    random -> JsonMutator.mutate(SEEDS, random),
                    in -> {
                        Files.write(document, in);
                        try (ChunkStore store = Zarr.open(root)) {
                            StoreLocation arranged = target.rules().arrange(store.at(""));
                            Walk.from(arranged.store(), arranged.path(), 6);
                        }
                    });
        }
    }
}
