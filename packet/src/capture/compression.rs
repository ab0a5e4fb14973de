// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compressed captures. The first bytes of a file tell its format, its name does not. The file is
//! decompressed as a stream, in bounded memory.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use liblzma::read::XzDecoder;
use liblzma::stream::Stream;
use liblzma::write::XzEncoder;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip (RFC 1952), with one member or several.
    Gzip,
    /// Zstandard (RFC 8878), with one frame or several, and windows of up to 128 MiB.
    Zstd,
    /// LZ4 frames.
    Lz4,
    /// xz, with one stream or several, and dictionaries of up to 64 MiB, as `xz -9` makes them.
    Xz,
}

/// The memory limit of the xz decoder in bytes. A file from `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 80 << 20;

/// The binary logarithm of the largest window that is accepted, in bytes.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The number of bytes that tell whether a file is compressed.
const MAGIC: u64 = 6;

impl Compression {
    /// Returns the format of a compressed file that begins with these bytes.
    ///
    /// ```
    /// use wiresum_packet::Compression;
    ///
    /// assert_eq!(Compression::of(&[0x1f, 0x8b, 8, 0]), Some(Compression::Gzip));
    /// assert_eq!(Compression::of(&[0xd4, 0xc3, 0xb2, 0xa1]), None); // a capture in pcap
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            [0x04, 0x22, 0x4d, 0x18, ..] => Some(Compression::Lz4),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }

    /// Returns the format that the extension of a file name asks for: `gz`, `zst`, `lz4` or `xz`.
    #[must_use]
    pub fn by_name(path: &Path) -> Option<Compression> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &extension[..] {
            "gz" => Some(Compression::Gzip),
            "zst" => Some(Compression::Zstd),
            "lz4" => Some(Compression::Lz4),
            "xz" => Some(Compression::Xz),
            _ => None,
        }
    }

    /// Compresses everything that a reader holds, at the default level of the format's own program.
    ///
    /// # Errors
    /// If the reader cannot be read, or the writer cannot be written.
    pub fn compress(self, from: &mut impl Read, to: impl Write) -> io::Result<()> {
        match self {
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(to, flate2::Compression::default());
                io::copy(from, &mut encoder)?;
                encoder.finish()?.flush()
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                io::copy(from, &mut encoder)?;
                encoder.finish()?.flush()
            }
            Compression::Lz4 => {
                let mut encoder = FrameEncoder::new(to);
                io::copy(from, &mut encoder)?;
                encoder.finish().map_err(io::Error::other)?.flush()
            }
            Compression::Xz => {
                let mut encoder = XzEncoder::new(to, 6);
                io::copy(from, &mut encoder)?;
                encoder.finish()?.flush()
            }
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Lz4 => "lz4",
            Compression::Xz => "xz",
        })
    }
}

/// Returns whether a decoder refused data because they need more memory than it may take. The words
/// are all that the decoders of zstd and xz have in common.
pub(super) fn is_memory(error: &io::Error) -> bool {
    error.to_string().contains("memory")
}

/// Reads a file, compressed or not. If the compressed data are damaged or cut short, the
/// decompressed stream ends there.
pub struct Decoder<R: Read> {
    inner: Inner<R>,
    compression: Option<Compression>,
    /// Why the stream ended early, if it did.
    pub(super) damage: Option<io::Error>,
}

type Source<R> = BufReader<io::Chain<io::Take<Cursor<[u8; MAGIC as usize]>>, Reader<R>>>;

enum Inner<R: Read> {
    /// The bytes that were read to tell the format, then the rest.
    Plain(io::Chain<io::Take<Cursor<[u8; MAGIC as usize]>>, Reader<R>>),
    Gzip(Box<MultiGzDecoder<Source<R>>>),
    Zstd(Box<zstd::Decoder<'static, Source<R>>>),
    Lz4(Box<FrameDecoder<Source<R>>>),
    Xz(Box<XzDecoder<Source<R>>>),
}

impl<R: Read> Decoder<R> {
    /// Begins to read a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn new(mut reader: R) -> io::Result<Decoder<R>> {
        let mut head = Vec::new();
        reader.by_ref().take(MAGIC).read_to_end(&mut head)?;
        let compression = Compression::of(&head);
        let mut bytes = [0; MAGIC as usize];
        bytes[..head.len()].copy_from_slice(&head);
        let all = Cursor::new(bytes)
            .take(head.len() as u64)
            .chain(Reader(reader));
        let source = |all| BufReader::with_capacity(super::buffer::BLOCK, all);
        let inner = match compression {
            None => Inner::Plain(all),
            Some(Compression::Gzip) => Inner::Gzip(Box::new(MultiGzDecoder::new(source(all)))),
            Some(Compression::Zstd) => {
                let mut decoder = zstd::Decoder::with_buffer(source(all))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Inner::Zstd(Box::new(decoder))
            }
            Some(Compression::Lz4) => Inner::Lz4(Box::new(FrameDecoder::new(source(all)))),
            Some(Compression::Xz) => {
                let stream = Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
                Inner::Xz(Box::new(XzDecoder::new_stream(source(all), stream)))
            }
        };
        Ok(Decoder {
            inner,
            compression,
            damage: None,
        })
    }

    /// Returns the file's compression format, if it is compressed.
    #[must_use]
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Returns why the decompressed stream ended early, if it did.
    #[must_use]
    pub fn damage(&self) -> Option<&io::Error> {
        self.damage.as_ref()
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.damage.is_some() {
            return Ok(0);
        }
        let read = match &mut self.inner {
            Inner::Plain(reader) => reader.read(buf),
            Inner::Gzip(decoder) => decoder.read(buf),
            Inner::Zstd(decoder) => decoder.read(buf),
            Inner::Lz4(decoder) => lz4(decoder, buf),
            Inner::Xz(decoder) => decoder.read(buf),
        };
        match read {
            // A failure of the reader is no fault of the data. Every other failure is.
            Err(error) if error.get_ref().is_some_and(|e| e.is::<Failed>()) => {
                let failed = error.into_inner().and_then(|e| e.downcast::<Failed>().ok());
                Err(failed.map_or_else(|| ErrorKind::Other.into(), |failed| failed.0))
            }
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                self.damage = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

/// Reads from an LZ4 decoder, which stops at the end of each frame, although another frame may
/// follow.
fn lz4<R: Read>(decoder: &mut FrameDecoder<Source<R>>, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match decoder.read(buf)? {
            0 if !buf.is_empty() && !decoder.get_mut().fill_buf()?.is_empty() => {}
            read => return Ok(read),
        }
    }
}

/// A reader whose failures can be told from the failures of a decoder.
struct Reader<R>(R);

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buf) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(io::Error::new(e.kind(), Failed(e))),
                read => return read,
            }
        }
    }
}

#[derive(Debug)]
struct Failed(io::Error);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}
