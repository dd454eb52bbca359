/** Where reading a site ends. */
export type Bounds = {
  /** Pages beside the first. */
  morePages: number
  redirects: number
  /** Between two requests at one host; its robots.txt may ask for more. */
  pauseMs: number
  pageTimeoutMs: number
  siteTimeoutMs: number
  /** Unpacked. */
  pageBytes: number
  /** What one page may take of the processor. */
  pageCpuMs: number
}

export const usualBounds: Bounds = {
  morePages: 8,
  redirects: 5,
  pauseMs: 1_000,
  pageTimeoutMs: 10_000,
  siteTimeoutMs: 60_000,
  pageBytes: 2 * 1024 * 1024,
  pageCpuMs: 2_000,
}
