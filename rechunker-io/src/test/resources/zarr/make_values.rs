//! write DIRECTORY NAMES...   stores DIRECTORY/NAME.bin as the elements of the array DIRECTORY/NAME, which has a zarr.json
//! read DIRECTORY NAMES...    the reverse
//!
//! With zarrs of August 2026, the first that has cast_value: commit 85b26a34, features filesystem and ndarray.

use std::sync::Arc;
use zarrs::array::{Array, ArrayBytes};
use zarrs::filesystem::FilesystemStore;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let store = Arc::new(FilesystemStore::new(&a[2]).unwrap());
    for name in &a[3..] {
        let r = std::panic::catch_unwind(|| {
            let array = Array::open(store.clone(), &format!("/{name}")).unwrap();
            let file = format!("{}/{}.bin", a[2], name);
            if a[1] == "read" {
                let bytes: ArrayBytes = array.retrieve_array_subset(&array.subset_all()).unwrap();
                std::fs::write(file, bytes.into_fixed().unwrap()).unwrap();
            } else {
                array.store_array_subset(&array.subset_all(), ArrayBytes::new_flen(std::fs::read(file).unwrap())).unwrap();
            }
        });
        if r.is_err() { println!("failed: {name}"); }
    }
}
