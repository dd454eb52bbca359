import { useRef, useState } from 'react'

type Options = {
  /** False if it was not saved; the error was shown. */
  send: (words: string) => Promise<boolean>
  /** Separates restored text from what was typed since. */
  between?: string
}

/**
 * Sends text while the user types on: the field is cleared immediately, texts are sent in order, and one that could
 * not be saved is restored before what was typed since.
 */
export function useOutgoing({ send, between = ' ' }: Options) {
  const [text, setText] = useState('')
  const [underway, setUnderway] = useState(0)
  const last = useRef(Promise.resolve())

  function submit(): void {
    const words = text.trim()
    if (!words) return
    setText('')
    setUnderway(count => count + 1)
    last.current = last.current.then(async () => {
      const isSaved = await send(words)
      setUnderway(count => count - 1)
      if (!isSaved) setText(typed => (typed.trim() ? words + between + typed : words))
    })
  }

  return { text, setText, submit, busy: underway > 0 }
}
