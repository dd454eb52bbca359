/** One job of the product, as `npm run bench` reports it. */
export type Result = {
  job: string
  value: number
  unit: '/s' | 'ms'
  /** What it was measured beside, in turns, in the same run. */
  beside?: { what: string; value: number; ratio: number }
}
