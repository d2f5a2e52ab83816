//! Writes an image as PNG without compressing it: a matrix is small, and no library is needed.
//!
//! Format: [RFC 2083], with stored blocks of [RFC 1951].
//! Invariant: the answer is a whole file, for images of at most 2^31 pixels a side.

/// An image of red, green and blue bytes, row by row.
pub(super) fn rgb(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // Eight bits, true colour, the only compression, filter and interlacing without effect.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    let mut lines = Vec::with_capacity(pixels.len() + height);
    for line in pixels.chunks(width.max(1) * 3) {
        // No filter.
        lines.push(0);
        lines.extend_from_slice(line);
    }
    chunk(&mut file, b"IDAT", &stored(&lines));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend_from_slice(name);
    file.extend_from_slice(data);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The bytes as a stream of blocks that are stored as they are.
fn stored(bytes: &[u8]) -> Vec<u8> {
    const MOST: usize = 65_535;
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(MOST).peekable();
    if blocks.peek().is_none() {
        stream.extend([1, 0, 0, 255, 255]);
    }
    while let Some(block) = blocks.next() {
        stream.push(u8::from(blocks.peek().is_none()));
        let length = block.len() as u16;
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler(bytes).to_be_bytes());
    stream
}

fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ (0xedb8_8320 * (sum & 1));
        }
    }
    !sum
}

fn adler(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1u32, 0u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sums_are_those_of_the_formats() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn an_image_is_a_header_its_lines_and_an_end() {
        let file = rgb(2, 1, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&file[12..24], b"IHDR\x00\x00\x00\x02\x00\x00\x00\x01");
        // Two bytes, one block with its length twice, a filter and six bytes, a sum.
        assert_eq!(&file[33..41], b"\x00\x00\x00\x12IDAT");
        assert_eq!(&file[file.len() - 12..], b"\0\0\0\0IEND\xae\x42\x60\x82");
    }
}
