import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { InertText } from '../../ui/inert-text.tsx'
import { laidOut } from './laid-out.ts'
import classes from '../../ui/drawer.module.css'

type View = 'sent' | 'laid-out'

/** A payload exactly as it was sent, or formatted for reading. */
export function BodyView({ title, text }: { title: string; text: string }) {
  const [view, setView] = useState<View>('sent')
  const shown = useMemo(() => (view === 'sent' ? text : laidOut(text)), [view, text])
  return (
    <section className={classes.part}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>{title}</h3>
        <SegmentedControl
          size="xs"
          aria-label="Payload format"
          value={view}
          onChange={next => setView(next as View)}
          data={[
            { value: 'sent', label: 'Raw' },
            { value: 'laid-out', label: 'Formatted' },
          ]}
        />
        <CopyIcon what="payload" value={text} />
      </div>
      <InertText label={title} text={shown} />
    </section>
  )
}
