import { on } from '#platform/registry.ts'
import { formSubmitted } from './contract.ts'
import { notifyTeam } from './notify.ts'

export const reactions = [on(formSubmitted, 'forms.tell', notifyTeam)]
