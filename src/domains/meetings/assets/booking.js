// The pages of a guest work without this. Where it runs, times are shown in the zone of the browser, another zone shows at once,
// and what was sent is not sent a second time.
const zones = document.querySelector('form.zone')
if (zones) {
  const { zone } = zones.elements
  const asked = new URLSearchParams(location.search)
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const isListed = [...zone.options].some(option => option.value === here)
  if (zones.dataset.guess && !asked.has('zone') && isListed && zone.value !== here) {
    asked.set('zone', here)
    location.replace(`?${asked}`)
  }
  zones.classList.add('by-itself')
  zone.addEventListener('change', () => zones.requestSubmit())
}

for (const form of document.querySelectorAll('form[method="post"]')) {
  const button = form.querySelector('button')
  form.addEventListener('submit', event => {
    if (button.getAttribute('aria-disabled')) event.preventDefault()
    button.setAttribute('aria-disabled', 'true')
  })
  // A page that comes back from where the browser keeps it can be sent again.
  addEventListener('pageshow', () => button.removeAttribute('aria-disabled'))
}
