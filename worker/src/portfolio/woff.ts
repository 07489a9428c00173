import { inflateSync } from 'node:zlib';

const headerLength = 44;
const entryLength = 20;
const sfntHeaderLength = 12;
const sfntEntryLength = 16;

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/**
 * Unpacks a WOFF 1.0 font into the plain font it holds. The PDF library reads WOFF as well, but inflates a whole table
 * for every glyph it takes from it.
 * @param woff - the file
 * @returns the TrueType or OpenType font
 * @throws what reading or inflating throws when the file is damaged
 */
export function unpackWoff(woff: Buffer): Buffer {
  const tableCount = woff.readUInt16BE(12);
  const tables = Array.from({ length: tableCount }, (_, index) => {
    const entry = woff.subarray(headerLength + index * entryLength, headerLength + (index + 1) * entryLength);
    const offset = entry.readUInt32BE(4);
    const packedLength = entry.readUInt32BE(8);
    const length = entry.readUInt32BE(12);
    const packed = woff.subarray(offset, offset + packedLength);
    const content = packedLength < length ? inflateSync(packed) : packed;
    return { tag: entry.subarray(0, 4), checksum: entry.subarray(16, 20), content };
  });

  const power = Math.floor(Math.log2(tableCount));
  const header = Buffer.alloc(sfntHeaderLength);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(tableCount, 4);
  header.writeUInt16BE(2 ** power * sfntEntryLength, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE((tableCount - 2 ** power) * sfntEntryLength, 10);

  let offset = sfntHeaderLength + tableCount * sfntEntryLength;
  const directory: Buffer[] = [];
  const contents: Buffer[] = [];
  for (const { tag, checksum, content } of tables) {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(offset, 0);
    place.writeUInt32BE(content.length, 4);
    directory.push(tag, checksum, place);
    contents.push(content, Buffer.alloc(padded(content.length) - content.length));
    offset += padded(content.length);
  }
  return Buffer.concat([header, ...directory, ...contents]);
}
