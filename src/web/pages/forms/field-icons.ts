import type { Icon } from '../../ui/icon.tsx'
import IconAlignLeft from 'icon:align-left'
import IconCalendar from 'icon:calendar'
import IconCheckbox from 'icon:checkbox'
import IconCircleDot from 'icon:circle-dot'
import IconCursorText from 'icon:cursor-text'
import IconEyeOff from 'icon:eye-off'
import IconHash from 'icon:hash'
import IconListCheck from 'icon:list-check'
import IconMail from 'icon:mail'
import IconPhone from 'icon:phone'
import type { FieldType } from '#domains/forms/values.ts'

export const typeIcons: Record<FieldType, Icon> = {
  text: IconCursorText,
  long_text: IconAlignLeft,
  email: IconMail,
  phone: IconPhone,
  number: IconHash,
  choice: IconCircleDot,
  choices: IconListCheck,
  date: IconCalendar,
  checkbox: IconCheckbox,
  hidden: IconEyeOff,
}
