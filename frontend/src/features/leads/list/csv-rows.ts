const [quote, newline] = [0x22, 0x0a];

/** Counts the records of a CSV file that arrives piece by piece. A line break in quotes does not end a record. */
export function csvRowCounter(): { readonly add: (piece: Uint8Array) => void; readonly rows: () => number } {
  let lines = 0;
  let isQuoted = false;
  return {
    add: (piece) => {
      for (const byte of piece) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === newline && !isQuoted) lines++;
      }
    },
    // The first line names the columns.
    rows: () => Math.max(0, lines - 1),
  };
}
