// Tables: the rows of a certificate, searched where they lie.
//
// A column has a fixed number of bytes, most significant first; the page holds the first byte of all rows, then the
// second of all rows, and so on, deflated and in base64. A set of cells is a Uint8Array with a 1 for each of its cells.

class Table {
  constructor({ rows, columns }, bytes) {
    this.rows = rows;
    this.bytes = bytes;
    this.columns = new Map();
    let first = 0;
    for (const [name, width] of columns) {
      this.columns.set(name, { first, width });
      first += width;
    }
    this.width = first;
  }

  number(row, name) {
    const { first, width } = this.columns.get(name);
    let value = 0;
    for (let place = first; place < first + width; place++) value = value * 256 + this.bytes[place * this.rows + row];
    return value;
  }

  set(row, name, vertices) {
    const { first, width } = this.columns.get(name);
    const set = new Uint8Array(vertices);
    for (let cell = 0; cell < vertices; cell++) {
      const place = first + width - 1 - (cell >> 3);
      set[cell] = (this.bytes[place * this.rows + row] >> (cell & 7)) & 1;
    }
    return set;
  }

  // The row that starts with these bytes, or -1. Rows are sorted, so halving finds it.
  find(key) {
    let [low, high] = [0, this.rows - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      let difference = 0;
      for (let place = 0; place < key.length && difference === 0; place++) {
        difference = key[place] - this.bytes[place * this.rows + middle];
      }
      if (difference === 0) return middle;
      if (difference < 0) high = middle - 1;
      else low = middle + 1;
    }
    return -1;
  }

  // The bytes of a set, or of a number, as this column has them.
  key(name, value) {
    const { width } = this.columns.get(name);
    const bytes = new Array(width).fill(0);
    if (typeof value === "number") {
      for (let place = width - 1; place >= 0; place--, value = Math.floor(value / 256)) bytes[place] = value % 256;
      // A number with more bytes than the column has is in no row.
      return value > 0 ? [-1] : bytes;
    }
    value.forEach((inside, cell) => {
      if (inside) bytes[width - 1 - (cell >> 3)] |= 1 << (cell & 7);
    });
    return bytes;
  }
}

// Unpacks the tables of the page, in the order of their plans.
async function readTables(text, plans) {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) packed[place] = letters.charCodeAt(place);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let start = 0;
  return plans.map((plan) => {
    const width = plan.columns.reduce((sum, column) => sum + column[1], 0);
    const table = new Table(plan, bytes.subarray(start, start + width * plan.rows));
    start += width * plan.rows;
    return table;
  });
}

// A set of cells from the hexadecimal number that certificates write it as.
function setOfHex(hex, vertices) {
  const set = new Uint8Array(vertices);
  for (let cell = 0; cell < vertices; cell++) {
    const digit = parseInt(hex[hex.length - 1 - (cell >> 2)] ?? "0", 16);
    set[cell] = (digit >> (cell & 3)) & 1;
  }
  return set;
}

function cellsOf(set) {
  return [...set.keys()].filter((cell) => set[cell]);
}
