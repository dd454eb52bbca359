import IconChecklist from 'icon:checklist'
import IconClock from 'icon:clock'
import IconDeviceMobileMessage from 'icon:device-mobile-message'
import IconMail from 'icon:mail'
import type { Icon } from '../../ui/icon.tsx'
import type { StepType } from '#domains/sequences/values.ts'

export const stepIcons: Record<StepType, Icon> = {
  email: IconMail,
  sms: IconDeviceMobileMessage,
  task: IconChecklist,
  delay: IconClock,
}
