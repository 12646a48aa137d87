/** The places of an answer on a map of the coasts. Nothing is asked of any other server. */
import { geoGraticule10, geoMercator, geoPath } from 'd3-geo';
import { useMemo, useState } from 'preact/hooks';
import feature from 'topojson-client/src/feature.js';
import topology from 'world-atlas/land-110m.json' with { type: 'json' };
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { go } from '../../core/router.js';

const SIZE = { width: 1000, height: 460 };
const MARGIN = 40;

/** Degrees that a map shows at least, so that one place has something around it. */
const SPAN_MIN = 4;

/** Mercator maps end here. */
const LATITUDE_MAX = 82;

const LAND = feature(topology, topology.objects.land);

/** @param {{ database: string, points: import('./points.js').Point[] }} props */
export function Map({ database, points }) {
  const [isWorld, setWorld] = useState(false);
  const { land, grid, project } = useMemo(() => draw(isWorld ? [] : points), [points, isWorld]);
  return html`
    <div class="map-head"><span>${counted(points.length, 'place')}</span>
      <label class="check"><input type="checkbox" checked=${isWorld} onChange=${() => setWorld(!isWorld)} /> whole world</label></div>
    <svg class="map" viewBox=${`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label=${`A map with ${counted(points.length, 'place')}`}>
      <path class="grid-lines" d=${grid} /><path class="land" d=${land} />
      ${points.map((point, at) => {
        const place = project([point.longitude, point.latitude]);
        return place && html`<circle key=${at} cx=${place[0]} cy=${place[1]} r="5" class="place"
          onClick=${() => point.id !== undefined && go(['db', database, 'doc'], { id: point.id })}>
          <title>${point.label}: ${point.latitude}, ${point.longitude}</title></circle>`;
      })}
    </svg>`;
}

/** @param {import('./points.js').Point[]} points none: the whole world. */
function draw(points) {
  const project = geoMercator().clipExtent([[0, 0], [SIZE.width, SIZE.height]])
    .fitExtent([[MARGIN, MARGIN], [SIZE.width - MARGIN, SIZE.height - MARGIN]], frameOf(points));
  const path = geoPath(project);
  return { project, land: path(LAND) ?? '', grid: path(geoGraticule10()) ?? '' };
}

/** Two corners that have everything between them. @param {import('./points.js').Point[]} points */
function frameOf(points) {
  if (points.length === 0) return { type: 'MultiPoint', coordinates: [[-179, -56], [179, 72]] };
  const range = (/** @type {number[]} */ values, /** @type {number} */ limit) => {
    const middle = (Math.min(...values) + Math.max(...values)) / 2;
    const half = Math.max(SPAN_MIN, Math.max(...values) - Math.min(...values)) / 2;
    return [Math.max(-limit, middle - half), Math.min(limit, middle + half)];
  };
  const [west, east] = range(points.map(point => point.longitude), 180);
  const [south, north] = range(points.map(point => point.latitude), LATITUDE_MAX);
  return { type: 'MultiPoint', coordinates: [[west, south], [east, north]] };
}
