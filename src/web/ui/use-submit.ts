import { useRef, useState } from 'react'
import { toastFault } from './toast.ts'

const PENDING = Symbol('pending')

/** The title of the error toast, or a handler for the error. */
export type Refused = string | ((error: unknown) => unknown)

export type Submit = {
  busy: boolean
  /** For `onSubmit` of a form, or `onClick` of a button. */
  submit: (event?: { preventDefault: () => void }) => void
}

/** The action of a form or button, one at a time. Errors go to `refused`, or else to a toast. */
export function useSubmit(act: () => unknown, refused?: Refused): Submit {
  const { busy, run } = useBusy(refused)
  return {
    busy,
    submit(event) {
      event?.preventDefault()
      run(act)
    },
  }
}

/** The same for several actions, one at a time. */
export function useBusy(refused?: Refused): { busy: boolean; run: (act: () => unknown) => void } {
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  async function go(act: () => unknown): Promise<void> {
    isUnderWay.current = true
    try {
      const doing = act()
      // An invalid form returns immediately: the button would only flicker.
      if ((await Promise.race([doing, PENDING])) === PENDING) setBusy(true)
      await doing
    } catch (error) {
      await (typeof refused === 'function' ? refused(error) : toastFault(error, refused))
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { busy, run: act => void (isUnderWay.current || go(act)) }
}
