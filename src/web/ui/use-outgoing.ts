import { useRef, useState } from 'react'

type Options = {
  /** False: it was not saved, and the person was told why. */
  send: (words: string) => Promise<boolean>
  /** What stands between words that came back and those typed since. */
  between?: string
}

/**
 * Words that are sent while one types on: the field is empty at once, what is sent keeps its order, and what could
 * not be saved comes back before what was typed since.
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
