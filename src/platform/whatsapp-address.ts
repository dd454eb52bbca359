/** Where somebody is who hides their number: `whatsapp:` and the ID that WhatsApp has for them. */
export const WHATSAPP_ADDRESS = 'whatsapp:'
