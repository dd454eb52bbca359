import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../ui/keys.ts'

/** Shift+R: by itself, R is another key. */
export function useReplyAllKey(replyAll: (() => void) | undefined): void {
  const act = useEffectEvent(() => replyAll?.())
  const isOn = replyAll !== undefined
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
      if (key !== 'R' || !shiftKey || ctrlKey || metaKey || altKey || isTyping(target)) return
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
      // The keys of the page leave it alone then.
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isOn])
}
