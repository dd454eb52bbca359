import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Bar, Fault } from '../../ui/states.tsx'
import { contentOf, type DraftContent } from './draft-content.ts'
import { previewQuery } from '../../records/forms/forms-cache.ts'
import classes from './builder.module.css'

const QUIET_MS = 350

type Props = {
  content: DraftContent
  /** Whether it could be saved; what could not is not shown, but what was before it. */
  isRight: boolean
}

/** The hosted page as the server makes it of the draft, a moment after the last edit. */
export function Preview({ content, isRight }: Props) {
  const [right, setRight] = useState(content)
  if (isRight && right !== content) setRight(content)
  const [quiet] = useDebouncedValue(right, QUIET_MS)
  const { data, error, isPending, refetch } = useQuery(previewQuery(contentOf(quiet)))
  return (
    <section className={classes.preview} aria-label="Preview of the page">
      {data ? (
        <iframe className={classes.page} title="Preview" sandbox="" srcDoc={asPicture(data.html)} />
      ) : isPending ? (
        <div className={classes.previewWaiting} aria-busy>
          <Bar width="60%" height={24} />
          <Bar width="100%" height={40} />
          <Bar width="100%" height={40} />
          <Bar width="100%" height={90} />
        </div>
      ) : (
        <Fault error={error} retry={() => void refetch()} />
      )}
    </section>
  )
}

/** The frame would refuse the page's script, and complain: nothing in a preview is there to be used. */
function asPicture(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const script of page.querySelectorAll('script')) script.remove()
  return `<!doctype html>${page.documentElement.outerHTML}`
}
