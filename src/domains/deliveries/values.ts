export const endpointStatuses = ['ACTIVE', 'DISABLED', 'REMOVED'] as const
export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
/** Kinds of records that have an address to tell. */
export const ownerKinds = ['form', 'workflow', 'agent'] as const

export type EndpointStatus = (typeof endpointStatuses)[number]
export type DeliveryStatus = (typeof deliveryStatuses)[number]
