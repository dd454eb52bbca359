import { Dotted } from './stage.tsx'
import textClasses from './text.module.css'

/** A state: the colour is for scanning, the word for reading. */
export function Badge({ words: { tone, label } }: { words: { tone: string; label: string } }) {
  return (
    <span className={textClasses.chip}>
      <Dotted tone={tone}>{label}</Dotted>
    </span>
  )
}
