import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../queries.ts'
import { toastFault } from '../ui/toast.ts'
import { browserState, turnOff, turnOn, type BrowserState } from './browser-push.ts'
import classes from './panel.module.css'

/** Whether this browser shows notifications, even with no page open. */
export function BrowserSwitch() {
  const user = useUser()
  const found = useQuery({
    queryKey: ['notifications-here', user.id],
    queryFn: () => browserState(user),
    // It may have been changed in the browser settings.
    gcTime: 0,
  }).data
  const [turned, setTurned] = useState<BrowserState>()
  const [turning, setTurning] = useState<boolean>()
  const state = turned ?? found
  async function turn(on: boolean) {
    setTurning(on)
    try {
      setTurned(await (on ? turnOn(user) : turnOff(user)))
    } catch (error) {
      toastFault(error, on ? "Couldn't turn on" : "Couldn't turn off")
    }
    setTurning(undefined)
  }
  return (
    <div className={classes.foot}>
      <Switch
        size="xs"
        label="Browser notifications"
        description={state && explanations[state]}
        checked={turning ?? state === 'on'}
        disabled={state !== 'on' && state !== 'off'}
        onChange={event => void turn(event.currentTarget.checked)}
      />
    </div>
  )
}

const explanations: Record<BrowserState, string> = {
  on: 'Shown even when Rapport is closed.',
  off: 'Get notified even when Rapport is closed.',
  denied: 'Blocked by your browser. Allow notifications in its settings for this site.',
  unsupported: 'Not available here. Requires https; on iPhone, add Rapport to the home screen.',
}
