// What is sent to people from a session, and where: the vocabulary of deliveries. Plain JSON.

/** `start`: a run begins. `question`: a person is asked, for an approval or an answer. `end`: a run has ended. */
export type DeliveryPoint = 'start' | 'question' | 'end';
export const deliveryPoints: readonly DeliveryPoint[] = ['start', 'question', 'end'];

/** A destination of the configuration, and when something goes there. */
export type Deliver = {
  /** Name of the destination in the workers' configuration. */
  to: string;
  /** Default: question and end. */
  on?: DeliveryPoint[];
};
