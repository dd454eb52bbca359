import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useState } from 'react'

const STEP_MS = 900

export const speeds = [1, 2, 4] as const
export type Speed = (typeof speeds)[number]

export type Playback = {
  /** How many entries are shown. */
  shown: number
  isPlaying: boolean
  speed: Speed
  setSpeed: (speed: Speed) => void
  /** Starts over if it has ended. */
  play: () => void
  pause: () => void
  step: () => void
  /** Shows everything. */
  finish: () => void
  show: (entries: number) => void
}

/** Plays a trace of this length step by step; with reduced motion it is shown completely. */
export function usePlayback(length: number): Playback {
  const isStill = useReducedMotion(undefined, { getInitialValueInEffect: false })
  const [shown, setShown] = useState(isStill ? length : 0)
  const [isPlaying, setIsPlaying] = useState(!isStill && length > 0)
  const [speed, setSpeed] = useState<Speed>(1)
  const isDone = shown >= length
  useEffect(() => {
    if (!isPlaying || isDone) return
    const timer = setTimeout(() => setShown(now => now + 1), STEP_MS / speed)
    return () => clearTimeout(timer)
  }, [isPlaying, isDone, shown, speed])
  return {
    shown: Math.min(shown, length),
    isPlaying: isPlaying && !isDone,
    speed,
    setSpeed,
    play: () => {
      if (isDone) setShown(0)
      setIsPlaying(true)
    },
    pause: () => setIsPlaying(false),
    step: () => {
      setIsPlaying(false)
      setShown(now => Math.min(now + 1, length))
    },
    finish: () => {
      setIsPlaying(false)
      setShown(length)
    },
    show: entries => {
      setIsPlaying(false)
      setShown(entries)
    },
  }
}
