import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../queries.ts'
import { toastFault } from '../ui/toast.ts'
import { browserState, turnOff, turnOn, type BrowserState } from './browser-push.ts'
import classes from './panel.module.css'

/** Whether this browser shows them as well, also while no page of Rapport is open. */
export function BrowserSwitch() {
  const user = useUser()
  const found = useQuery({
    queryKey: ['notifications-here', user.id],
    queryFn: () => browserState(user),
    // Somebody may have changed it in the settings of the browser.
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
      toastFault(error, on ? 'Not turned on' : 'Not turned off')
    }
    setTurning(undefined)
  }
  return (
    <div className={classes.foot}>
      <Switch
        size="xs"
        label="Also in this browser"
        description={state && explanations[state]}
        checked={turning ?? state === 'on'}
        disabled={state !== 'on' && state !== 'off'}
        onChange={event => void turn(event.currentTarget.checked)}
      />
    </div>
  )
}

const explanations: Record<BrowserState, string> = {
  on: 'Shown by your system, also while Rapport is closed.',
  off: 'Have your system show them, also while Rapport is closed.',
  denied:
    'This browser was told not to show notifications of this site. Its site settings can allow them again.',
  unsupported: 'This browser cannot do it here. It needs https, and on iPhones Rapport on the home screen.',
}
