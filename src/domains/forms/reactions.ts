import { on } from '#platform/registry.ts'
import { formSubmitted } from './contract.ts'
import { tellOthers } from './notify.ts'

export const reactions = [on(formSubmitted, 'forms.tell', tellOthers)]
