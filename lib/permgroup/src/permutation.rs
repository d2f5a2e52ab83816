//! Permutations as lists of images.

/// The permutation of so many points that moves none.
pub fn identity(points: usize) -> Vec<u32> {
    (0..points as u32).collect()
}

/// Whether no point moves.
pub fn is_identity(images: &[u32]) -> bool {
    images
        .iter()
        .enumerate()
        .all(|(point, image)| point as u32 == *image)
}

/// Whether a list maps its positions one to one to its positions.
pub fn is_permutation(images: &[u32]) -> bool {
    let mut seen = vec![false; images.len()];
    images.iter().all(|image| {
        let place = seen.get_mut(*image as usize);
        place.is_some_and(|place| !std::mem::replace(place, true))
    })
}

/// First one permutation, then another.
pub fn then(first: &[u32], second: &[u32]) -> Vec<u32> {
    first.iter().map(|image| second[*image as usize]).collect()
}

/// The permutation that takes another back.
pub fn inverse(images: &[u32]) -> Vec<u32> {
    let mut back = Vec::new();
    invert(images, &mut back);
    back
}

/// Puts the permutation that takes another back where the last one was.
pub fn invert(images: &[u32], back: &mut Vec<u32>) {
    back.resize(images.len(), 0);
    for (point, image) in images.iter().enumerate() {
        back[*image as usize] = point as u32;
    }
}

/// The points that move, ascending.
pub fn moved(images: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let pairs = images.iter().enumerate();
    pairs
        .filter(|(point, image)| *point as u32 != **image)
        .map(|(point, _)| point as u32)
}
