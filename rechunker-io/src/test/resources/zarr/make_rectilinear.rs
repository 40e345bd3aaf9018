//! Makes arrays in irregular chunks with zarrs 0.23, for make_rectilinear.py. Element i, in C order, is 3 * i + 1.

use std::sync::Arc;
use zarrs::array::{data_type, ArrayBuilder};
use zarrs::filesystem::FilesystemStore;
use zarrs::metadata::v3::MetadataV3;

fn main() {
    let directory = std::env::args().nth(1).expect("a directory");
    let store = Arc::new(FilesystemStore::new(directory).unwrap());
    for (path, grid) in [
        (
            "/rectilinear",
            r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[[4, 3], 8], [2, 2, 7]]}}"#,
        ),
        ("/rectangular", r#"{"name": "rectangular", "configuration": {"chunk_shape": [[4, 4, 4, 8], 4]}}"#),
        ("/scalars", r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [6, 4]}}"#),
    ] {
        let grid: MetadataV3 = serde_json::from_str(grid).unwrap();
        let array = ArrayBuilder::new(vec![20, 9], grid, data_type::int32(), 0i32).build(store.clone(), path).unwrap();
        array.store_metadata().unwrap();
        let elements: Vec<i32> = (0..180).map(|i| 3 * i + 1).collect();
        array.store_array_subset(&array.subset_all(), &elements).unwrap();
    }
}
