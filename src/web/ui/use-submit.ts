import { useRef, useState } from 'react'
import { toastFault } from './toast.ts'

const PENDING = Symbol('pending')

/** What did not happen, as the title of the message that says why; or what to do with the error instead. */
export type Refused = string | ((error: unknown) => unknown)

export type Submit = {
  busy: boolean
  /** For `onSubmit` of a form, or `onClick` of a button. */
  submit: (event?: { preventDefault: () => void }) => void
}

/** What a form or a button does, once at a time. What `act` throws is told by `refused`, or else by a message. */
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

/** The same for several things that can be done, of which one at a time is under way. */
export function useBusy(refused?: Refused): { busy: boolean; run: (act: () => unknown) => void } {
  const [busy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  async function go(act: () => unknown): Promise<void> {
    isUnderWay.current = true
    try {
      const doing = act()
      // A form that is not filled in ends at once: its button would only flicker.
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
