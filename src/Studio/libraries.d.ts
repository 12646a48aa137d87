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

declare module 'topojson-client/src/feature.js' {
  export default function feature(topology: object, object: object): object;
}

declare module 'world-atlas/land-110m.json' {
  const topology: { objects: { land: object } };
  export default topology;
}
