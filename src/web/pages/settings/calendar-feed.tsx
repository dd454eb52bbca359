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

/** The meetings as a feed for any calendar; its URL is a bearer secret. */
export function CalendarFeed({ availability: { feed_url }, editable }: Props) {
  const [asked, setAsked] = useState(false)

  async function renew() {
    putAvailability(await api('POST /api/meetings/availability/feed'))
    toast('Created a new feed URL')
  }

  return (
    <>
      <div className={copyLineClasses.box}>
        <code>{feed_url}</code>
        <CopyIcon what="the feed URL" value={feed_url} />
        {editable && (
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            New URL
          </Button>
        )}
      </div>
      {asked && (
        <Confirm
          title="Create a new feed URL?"
          verb="Create new URL"
          act={renew}
          close={() => setAsked(false)}
        >
          Calendars that use the old URL stop showing your meetings until you give them the new one.
        </Confirm>
      )}
    </>
  )
}
