/** Eigenvectors of a symmetric matrix (row by row), the largest eigenvalue first: cyclic Jacobi rotations. */
export function eigenvectors(matrix, size) {
  const a = Float64Array.from(matrix);
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0;
    let diagonal = 0;
    for (let p = 0; p < size; p++) {
      diagonal += a[p * size + p] ** 2;
      for (let q = p + 1; q < size; q++) off += a[p * size + q] ** 2;
    }
    if (off <= 1e-20 * diagonal) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, size, p, q);
  }
  return Array.from({ length: size }, (_, i) => i)
    .sort((i, j) => a[j * size + j] - a[i * size + i])
    .map((i) => vectors.slice(i * size, (i + 1) * size));
}

/** Rows of `vectors` are the eigenvectors in the end. */
function rotate(a, vectors, size, p, q) {
  const apq = a[p * size + q];
  if (Math.abs(apq) < 1e-300) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  turn(a, p * size, q * size, 1, size, c, s);
  turn(a, p, q, size, size, c, s);
  turn(vectors, p * size, q * size, 1, size, c, s);
}

function turn(values, p, q, step, count, c, s) {
  for (let k = 0; k < count; k++) {
    const x = values[p + k * step];
    const y = values[q + k * step];
    values[p + k * step] = c * x - s * y;
    values[q + k * step] = s * x + c * y;
  }
}
