const QUIET_MS = 300
const WAIT_MAX_MS = 1_500

/** A debounce with a maximum wait. Hidden tabs wait until they are visible. */
export function settled(act: () => unknown): () => void {
  let quiet: ReturnType<typeof setTimeout> | undefined
  let since: number | undefined
  function fire() {
    clearTimeout(quiet)
    quiet = undefined
    if (document.hidden) {
      document.addEventListener('visibilitychange', fire, { once: true })
      return
    }
    since = undefined
    act()
  }
  return () => {
    since ??= Date.now()
    clearTimeout(quiet)
    quiet = setTimeout(fire, Math.max(0, Math.min(QUIET_MS, since + WAIT_MAX_MS - Date.now())))
  }
}
