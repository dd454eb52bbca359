import { Button } from '@mantine/core'
import IconX from 'icon:x'
import { useEffect, useState } from 'react'
import { dismiss, toasts, type Toast } from './toast.ts'
import classes from './toaster.module.css'

/** The corner for toasts. Always mounted, so that screen readers announce new ones. */
export function Toaster() {
  const shown = toasts.use(now => now)
  const [held, setHeld] = useState(false)
  return (
    <section
      className={classes.corner}
      aria-label="Notifications"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div aria-live="polite" aria-relevant="additions">
        {shown.map(toast => (
          <Card key={toast.id} toast={toast} held={held} />
        ))}
      </div>
    </section>
  )
}

/** Disappears after a while, but not while hovered or focused. */
function Card({ toast, held }: { toast: Toast; held: boolean }) {
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(toast.id), toast.lastsMs)
    return () => clearTimeout(timer)
  }, [toast, held])
  return (
    <div className={classes.toast} data-tone={toast.tone} role={toast.tone === 'fault' ? 'alert' : undefined}>
      <div className={classes.text}>
        {toast.title && <strong>{toast.title}</strong>}
        <span>{toast.message}</span>
      </div>
      {toast.action && (
        <Button size="xs" variant="default" flex="none" onClick={toast.action.act}>
          {toast.action.label}
        </Button>
      )}
      <button type="button" className={classes.close} aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}
