import { ChefHat, Code, Dumbbell, Mountain, Wrench, type LucideIcon } from "lucide-react";
import type { WaiverExchange } from "./waiver-values";

export type Exchange = WaiverExchange & { icon: LucideIcon };

/** The five sample exchanges of the demonstration (SPEC 2.13). */
export const SAMPLES: readonly Exchange[] = [
  {
    id: "sample-cooking",
    skill: "Italian Cooking",
    category: "cooking",
    activity: "Cook a three-course Italian dinner",
    icon: ChefHat,
  },
  {
    id: "sample-physical-training",
    skill: "Strength Training",
    category: "physical-training",
    activity: "Strength training with free weights",
    icon: Dumbbell,
  },
  {
    id: "sample-programming",
    skill: "Web Programming",
    category: "programming",
    activity: "Build a first website",
    icon: Code,
  },
  {
    id: "sample-home-repair",
    skill: "Home Repair",
    category: "home-repair",
    activity: "Fix a leaky faucet and patch drywall",
    icon: Wrench,
  },
  {
    id: "sample-outdoor-activities",
    skill: "Outdoor Activities",
    category: "outdoor-activities",
    activity: "Guided day hike in the foothills",
    icon: Mountain,
  },
];
