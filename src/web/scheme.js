// Runs before the first paint, so that a dark screen never flashes white.
;(function () {
  var root = document.documentElement
  var chosen = null
  try {
    chosen = localStorage.getItem('rapport.scheme')
  } catch {
    // Storage may be blocked; use the system's scheme.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  root.style.backgroundColor = dark ? '#131617' : '#ffffff'
})()
