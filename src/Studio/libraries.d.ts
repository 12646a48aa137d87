/** Libraries that have no types of their own: what the Studio uses of them. */

declare module 'd3-geo' {
  type Point = [number, number];
  interface Projection {
    (point: Point): Point | null;
    fitExtent(extent: [Point, Point], shape: object): Projection;
    clipExtent(extent: [Point, Point]): Projection;
    scale(): number;
    scale(scale: number): Projection;
  }
  export function geoMercator(): Projection;
  export function geoPath(projection: Projection): (shape: object) => string | null;
  export function geoGraticule10(): object;
}

declare module 'd3-hierarchy' {
  interface Node<T> {
    data: T;
    depth: number;
    children?: Node<T>[];
    sum(value: (data: T) => number): Node<T>;
    sort(compare: (left: Node<T>, right: Node<T>) => number): Node<T>;
    value: number;
  }
  interface Box<T> extends Node<T> {
    x0: number;
    y0: number;
    x1: number;
    y1: number;
    children?: Box<T>[];
  }
  interface Layout<T> {
    (root: Node<T>): Box<T>;
    size(size: [number, number]): Layout<T>;
    round(isRounded: boolean): Layout<T>;
    paddingInner(pixels: number): Layout<T>;
    paddingOuter(pixels: number): Layout<T>;
    paddingTop(pixels: (node: Box<T>) => number): Layout<T>;
  }
  export function hierarchy<T>(data: T, children: (data: T) => T[] | undefined): Node<T>;
  export function treemap<T>(): Layout<T>;
}

declare module 'topojson-client/src/feature.js' {
  export default function feature(topology: object, object: object): object;
}

declare module 'world-atlas/land-110m.json' {
  const topology: { objects: { land: object } };
  export default topology;
}
