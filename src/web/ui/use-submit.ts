import { useState } from 'react'
import { toastFault } from './toast.ts'

type Submit = {
  busy: boolean
  /** For `onSubmit` of a form, or `onClick` of a button. */
  submit: (event?: { preventDefault: () => void }) => void
}

/** What a form or a button does, once at a time. What `act` throws is told by `refused`, or else by a message. */
export function useSubmit(
  act: () => unknown,
  refused: (error: unknown) => unknown = error => toastFault(error),
): Submit {
  const [busy, setBusy] = useState(false)
  async function run(): Promise<void> {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    submit(event) {
      event?.preventDefault()
      if (!busy) void run()
    },
  }
}
