import { useEffect, useState } from 'react'
import { clockOf, durationInWords } from '../../records/calls/words.ts'

const SECOND_MS = 1_000

/** The elapsed time, updated every second; screen readers do not announce it. */
export function Ticking({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = (now - Date.parse(since)) / SECOND_MS
  return (
    <time role="timer" aria-live="off" dateTime={since}>
      {clockOf(seconds)}
    </time>
  )
}

/** A finished duration. */
export function Lasted({ seconds }: { seconds: number }) {
  return <span title={durationInWords(seconds)}>{clockOf(seconds)}</span>
}
