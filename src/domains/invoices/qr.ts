import { encode } from 'uqr'
import { html, type Html } from '#platform/html.ts'

/** Around it stays white, or cameras do not find it. */
const BORDER = 4

/** A QR code as a picture in the page, dark on white in every look. Modules side by side are one stroke: it stays small. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border: BORDER, ecc: 'M' })
  const strokes = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}`)).join('')
  const box = `0 -.5 ${size} ${size}`
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="${box}" shape-rendering="crispEdges">
    <rect y="-.5" width="${size}" height="${size}" fill="#fff" />
    <path d="${strokes}" stroke="#000" />
  </svg>`
}

function runsOf(row: readonly boolean[]): [from: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, dark] of row.entries()) {
    if (!dark) continue
    const last = runs.at(-1)
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
