import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Availability } from '#domains/meetings/contract.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { toast } from '../../ui/toast.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { putAvailability } from '../../records/meetings/meetings-cache.ts'
import copyLineClasses from '../../ui/copy-line.module.css'

type Props = { availability: Availability; editable: boolean }

/** The meetings for any calendar that reads addresses; the address is the key to them. */
export function CalendarFeed({ availability: { feed_url }, editable }: Props) {
  const [asked, setAsked] = useState(false)

  async function renew() {
    putAvailability(await api('POST /api/meetings/availability/feed'))
    toast('The feed has a new address')
  }

  return (
    <>
      <div className={copyLineClasses.box}>
        <code>{feed_url}</code>
        <CopyIcon what="the address of the feed" value={feed_url} />
        {editable && (
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            New address
          </Button>
        )}
      </div>
      {asked && (
        <Confirm
          title="Make a new address?"
          verb="Make a new address"
          act={renew}
          close={() => setAsked(false)}
        >
          Calendars that read the old address show your meetings no more, until you give them the new one.
        </Confirm>
      )}
    </>
  )
}
