// <script src="https://<rapport>/f/embed.js" data-form="<slug>" async></script> shows a form in its place.
// data-title names it for screen readers; data-prefill="plan=pro" prefills fields.
;(() => {
  const script = document.currentScript
  const slug = script?.dataset.form
  if (!slug) return
  const home = new URL(script.src).origin
  const frame = document.createElement('iframe')
  frame.src = `${home}/f/${encodeURIComponent(slug)}?${parameters()}`
  frame.title = script.dataset.title ?? 'Form'
  Object.assign(frame.style, { display: 'block', width: '100%', height: '480px', border: '0' })
  addEventListener('message', ({ source, origin, data }) => {
    const isOurs = source === frame.contentWindow && origin === home && data?.rapport === 'height'
    if (isOurs && data.height > 0) frame.style.height = `${data.height}px`
  })
  script.after(frame)

  function parameters() {
    const list = new URLSearchParams(script.dataset.prefill)
    const utm = [...new URLSearchParams(location.search)].filter(([name]) => name.startsWith('utm_'))
    for (const [name, value] of utm) list.set(name, value)
    list.set('embed', '1')
    list.set('_page', location.href)
    if (document.referrer) list.set('_referrer', document.referrer)
    const first = firstTouch(Object.fromEntries(utm.map(([name, value]) => [name.slice(4), value])))
    if (first) list.set('_first_touch', first)
    return list
  }

  /** Where the visitor came from the first time is remembered in the visitor's own browser, for this site. */
  function firstTouch(utm) {
    const now = { utm, referrer: document.referrer, page_url: location.href, at: new Date().toISOString() }
    try {
      const known = localStorage.getItem('rapport.first-touch')
      if (!known) localStorage.setItem('rapport.first-touch', JSON.stringify(now))
      return known ?? JSON.stringify(now)
    } catch {
      return undefined
    }
  }
})()
