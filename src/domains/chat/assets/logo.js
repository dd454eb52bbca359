// The team's mark: its first letter, or its logo once that is there. It is drawn, because the policy of a site may allow no pictures
// of ours, and needs nothing more for this.
import { initialsOf } from './format.js'

const SIDE_MAX_PX = 144

export function marksOf({ home, config, make }) {
  const loading = config.logo_url && load(home + config.logo_url).catch(() => undefined)

  return className => {
    const made = make('span', { className, textContent: initialsOf(config.team)[0] })
    made.setAttribute('aria-hidden', 'true')
    if (loading)
      void loading.then(picture => {
        if (!picture) return
        made.replaceChildren(drawn(picture))
        made.classList.add('logo')
      })
    return made
  }

  function drawn(picture) {
    const scale = Math.min(1, SIDE_MAX_PX / Math.max(picture.width, picture.height))
    const [width, height] = [picture.width, picture.height].map(side => Math.max(1, Math.round(side * scale)))
    const canvas = make('canvas', { width, height })
    const brush = canvas.getContext('2d')
    brush.imageSmoothingQuality = 'high'
    brush.drawImage(picture, 0, 0, width, height)
    return canvas
  }
}

async function load(url) {
  const answer = await fetch(url, { credentials: 'omit' })
  if (answer.ok) return createImageBitmap(await answer.blob())
}
