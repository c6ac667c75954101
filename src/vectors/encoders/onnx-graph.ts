/**
 * Writes ONNX models (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): the few messages that a graph with weights needs,
 * in protobuf's wire format. Numbers in the code are the fields' numbers there.
 */
export type ElementType = 'f32' | 'i8' | 'i64';
type Values = Float32Array | Int8Array | BigInt64Array;
export type Attribute = number | { float: number };
export interface NodeOptions {
  attributes?: Record<string, Attribute>;
  domain?: string;
  /** Names of the outputs; made up where the graph goes on from them alone. */
  outputs?: readonly string[];
}

export interface OnnxGraph {
  /** A constant; returns its name. */
  constant(name: string, type: ElementType, shape: readonly number[], values: Values): string;
  /** A node; returns the name of its first output. An empty input is left out. */
  node(operator: string, inputs: readonly string[], options?: NodeOptions): string;
  finish(ends: { inputs: readonly GraphEnd[]; outputs: readonly GraphEnd[] }): Buffer;
}

export interface GraphEnd {
  name: string;
  type: ElementType;
  /** A word is a size that is known at run time. */
  shape: readonly (number | string)[];
}

const elementTypes: Record<ElementType, number> = { f32: 1, i8: 3, i64: 7 };
const IR_VERSION = 8;
const OPSET_VERSION = 18;
export const MICROSOFT = 'com.microsoft';

export function createOnnxGraph(name: string): OnnxGraph {
  const nodes: Buffer[] = [];
  const constants: Buffer[] = [];
  let made = 0;
  return {
    constant(name, type, shape, values) {
      const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
      const dimensions = shape.map((size) => integer(1, size));
      constants.push(
        Buffer.concat([...dimensions, integer(2, elementTypes[type]), text(8, name), message(9, raw)]),
      );
      return name;
    },
    node(operator, inputs, { attributes = {}, domain, outputs = [`t${made}`] } = {}) {
      made += 1;
      nodes.push(
        Buffer.concat([
          ...inputs.map((input) => text(1, input)),
          ...outputs.map((output) => text(2, output)),
          text(3, `${operator}_${made}`),
          text(4, operator),
          ...Object.entries(attributes).map(([key, value]) => message(5, attribute(key, value))),
          ...(domain === undefined ? [] : [text(7, domain)]),
        ]),
      );
      return outputs[0]!;
    },
    finish({ inputs, outputs }) {
      const graph = Buffer.concat([
        ...nodes.map((node) => message(1, node)),
        text(2, name),
        ...constants.map((constant) => message(5, constant)),
        ...inputs.map((end) => message(11, graphEnd(end))),
        ...outputs.map((end) => message(12, graphEnd(end))),
      ]);
      return Buffer.concat([
        integer(1, IR_VERSION),
        text(2, 'periscope'),
        message(7, graph),
        message(8, integer(2, OPSET_VERSION)),
        message(8, Buffer.concat([text(1, MICROSOFT), integer(2, 1)])),
      ]);
    },
  };
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
  const float = Buffer.alloc(4);
  float.writeFloatLE(value.float);
  return Buffer.concat([text(1, name), key(2, 5), float, integer(20, 1)]);
}

function graphEnd({ name, type, shape }: GraphEnd): Buffer {
  const sizes = shape.map((size) => message(1, typeof size === 'string' ? text(2, size) : integer(1, size)));
  const tensor = Buffer.concat([integer(1, elementTypes[type]), message(2, Buffer.concat(sizes))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function key(field: number, wire: number): Buffer {
  return varint((field << 3) | wire);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([key(field, 0), varint(value)]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([key(field, 2), varint(bytes.length), bytes]);
}

/** Negative numbers are sign-extended to 64 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
